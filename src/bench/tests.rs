use super::designs::{designs, of_sizes};
use super::{Measurement, cactus, read_measurements};
use crate::base::Budget;
use crate::bitblast::bitblast;
use crate::engine::bdd::Bdd;
use crate::engine::{Engine, Problem, Silent};
use crate::outcome::Verdict;

/// The smallest members of each family, decided by exhaustive reachability.
#[test]
fn designs_are_as_they_say() {
    for design in of_sizes(|_| vec![1, 2]) {
        let (aig, _) = bitblast(&design.system, &Budget::unlimited()).unwrap();
        let verdict =
            Bdd::default().run(&Problem::new(&aig), &mut Silent, &Budget::unlimited()).remove(0);
        match verdict {
            Verdict::Safe(_) => assert!(design.safe, "{} is safe", design.name),
            Verdict::Unsafe(t) => {
                assert!(!design.safe, "{} is unsafe in {}", design.name, t.inputs.len());
            }
            Verdict::Unknown(why) => panic!("{}: {why}", design.name),
        }
    }
}

#[test]
fn there_are_enough_designs_with_different_names() {
    let designs = designs();
    let mut names: Vec<_> = designs.iter().map(|d| d.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() >= 40 && names.len() == designs.len());
}

#[test]
fn a_table_becomes_a_plot() {
    let table = "engine,model,verdict,seconds,peak_mb\n\
                 ic3,a,SAFE,0.5,20\nic3,b,UNSAFE,2,30\nic3,c,UNKNOWN,60,9\nbmc,a,UNKNOWN,60,9\n\
                 bmc,b,UNSAFE,1.5,9\n";
    let rows = read_measurements(table).unwrap();
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[1], Measurement { engine: "ic3".into(), solved: true, seconds: 2.0 });
    let svg = cactus(&rows, 60.0).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("ic3 (2)") && svg.contains("bmc (1)"), "{svg}");
    assert_eq!(svg, cactus(&rows, 60.0).unwrap());
    assert!(read_measurements("engine,model\n").is_err());
    let broken = table.replace("0.5", "half");
    assert!(read_measurements(&broken).unwrap_err().to_string().contains("line 2"));
}
