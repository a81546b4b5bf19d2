//! Runs of a graph that go on for ever and see what they must.

/// A set of up to 128 marks.
pub type Marks = u128;

/// An arc of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The node that it leads to.
    pub to: usize,
    /// The marks that are seen on it.
    pub marks: Marks,
}

/// What a run must see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    /// Infinitely often, each of these.
    pub often: Marks,
    /// For each pair: if some of the first ones infinitely often, then some of the second ones.
    pub pairs: Vec<(Marks, Marks)>,
}

/// A way through a graph: nodes, each with the position of the arc that is taken from it.
pub type Path = Vec<(usize, usize)>;

/// A run from node 0 that sees what it must: a stem and a cycle. All nodes must be reachable from
/// node 0.
pub fn fair_lasso(graph: &[Vec<Arc>], requirement: &Requirement) -> Option<(Path, Path)> {
    let all = vec![0; graph.len()];
    let mut open = vec![(all, 0)];
    let mut fresh = 0;
    // A task is a division of the nodes into parts, and the part to look at.
    let mut forbidden_of: Vec<Marks> = vec![0];
    while let Some((part_of, part)) = open.pop() {
        let forbidden = forbidden_of[part];
        let inside = |from: usize, arc: &Arc| {
            part_of[from] == part && part_of[arc.to] == part && arc.marks & forbidden == 0
        };
        for component in components(graph, &part_of, part, &inside) {
            let mut member = vec![false; graph.len()];
            component.iter().for_each(|&n| member[n] = true);
            let arcs = || {
                let own = component.iter().flat_map(|&n| graph[n].iter().map(move |a| (n, a)));
                own.filter(|(n, a)| member[a.to] && inside(*n, a))
            };
            let seen = arcs().fold(0, |seen, (_, a)| seen | a.marks);
            if arcs().next().is_none() || seen & requirement.often != requirement.often {
                continue;
            }
            let unmet = requirement.pairs.iter().filter(|(a, b)| seen & a != 0 && seen & b == 0);
            let bad = unmet.fold(0, |bad, (a, _)| bad | a);
            if bad == 0 {
                let allowed =
                    |from: usize, arc: &Arc| member[from] && member[arc.to] && inside(from, arc);
                return Some(lasso(graph, &component, seen, requirement, &allowed));
            }
            fresh += 1;
            let mut divided = vec![usize::MAX; graph.len()];
            component.iter().for_each(|&n| divided[n] = fresh);
            forbidden_of.push(forbidden | bad);
            open.push((divided, fresh));
        }
    }
    None
}

/// The stem to a component, and a cycle in it that sees all of `seen` that matters.
fn lasso(
    graph: &[Vec<Arc>],
    component: &[usize],
    seen: Marks,
    requirement: &Requirement,
    allowed: &dyn Fn(usize, &Arc) -> bool,
) -> (Path, Path) {
    let any = |_: usize, _: &Arc| true;
    let start = component[0];
    let stem = match start {
        0 => vec![],
        _ => way(graph, 0, &any, &|_, arc| arc.to == start).expect("all nodes are reachable"),
    };
    let mut goals: Vec<Marks> =
        (0..128).map(|k| 1 << k).filter(|m| requirement.often & m != 0).collect();
    goals.extend(requirement.pairs.iter().filter(|(a, b)| seen & a & !b != 0).map(|(_, b)| *b));
    let mut cycle: Path = vec![];
    let end = |cycle: &Path| cycle.last().map_or(start, |&(n, k)| graph[n][k].to);
    for goal in goals {
        if cycle.iter().all(|&(n, k)| graph[n][k].marks & goal == 0) {
            let more = way(graph, end(&cycle), allowed, &|_, arc| arc.marks & goal != 0);
            cycle.extend(more.expect("the component has such an arc"));
        }
    }
    if cycle.is_empty() || end(&cycle) != start {
        let back = way(graph, end(&cycle), allowed, &|_, arc| arc.to == start);
        cycle.extend(back.expect("the component is strongly connected"));
    }
    (stem, cycle)
}

/// A shortest way whose last arc is wanted.
fn way(
    graph: &[Vec<Arc>],
    from: usize,
    allowed: &dyn Fn(usize, &Arc) -> bool,
    wanted: &dyn Fn(usize, &Arc) -> bool,
) -> Option<Path> {
    let mut before: Vec<Option<(usize, usize)>> = vec![None; graph.len()];
    let mut queue = vec![from];
    let mut head = 0;
    while let Some(&node) = queue.get(head) {
        head += 1;
        for (k, arc) in graph[node].iter().enumerate().filter(|(_, a)| allowed(node, a)) {
            if wanted(node, arc) {
                let mut path = vec![(node, k)];
                let mut at = node;
                while at != from {
                    let step = before[at].expect("it was found from there");
                    path.push(step);
                    at = step.0;
                }
                path.reverse();
                return Some(path);
            }
            if arc.to != from && before[arc.to].is_none() {
                before[arc.to] = Some((node, k));
                queue.push(arc.to);
            }
        }
    }
    None
}

/// The strongly connected components of a part of the graph (R. Tarjan: Depth-first search and
/// linear graph algorithms, SIAM J. Comput. 1972), without recursion.
fn components(
    graph: &[Vec<Arc>],
    part_of: &[usize],
    part: usize,
    inside: &dyn Fn(usize, &Arc) -> bool,
) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut number = vec![NEW; graph.len()];
    let mut low = vec![0; graph.len()];
    let mut on_stack = vec![false; graph.len()];
    let (mut stack, mut found, mut next) = (vec![], vec![], 0);
    for root in (0..graph.len()).filter(|&n| part_of[n] == part) {
        if number[root] != NEW {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((node, k)) = calls.pop() {
            if k == 0 {
                (number[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(arc) = graph[node].get(k) {
                calls.push((node, k + 1));
                if inside(node, arc) {
                    if number[arc.to] == NEW {
                        calls.push((arc.to, 0));
                    } else if on_stack[arc.to] {
                        low[node] = low[node].min(number[arc.to]);
                    }
                }
                continue;
            }
            if let Some(&(caller, _)) = calls.last() {
                low[caller] = low[caller].min(low[node]);
            }
            if low[node] == number[node] {
                let at = stack.iter().rposition(|&n| n == node).expect("it was pushed");
                let component = stack.split_off(at);
                component.iter().for_each(|&n| on_stack[n] = false);
                found.push(component);
            }
        }
    }
    found
}
