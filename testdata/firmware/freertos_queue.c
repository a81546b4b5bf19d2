// assert: SAFE
// options: --thread sensor_task --thread logger_task --extern vTaskStartScheduler=start --extern vTaskDelay=noop --mmio ADC_DATA
// Tasks in the style of FreeRTOS share a ring buffer, inside of critical sections.
#include <assert.h>
#include <stdint.h>

/* What the port's header would say. */
typedef uint32_t TickType_t;
void vTaskDelay(TickType_t ticks);
void vTaskStartScheduler(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#define taskENTER_CRITICAL() __VERIFIER_atomic_begin()
#define taskEXIT_CRITICAL() __VERIFIER_atomic_end()

extern volatile uint16_t ADC_DATA;

#define SIZE 2
static uint16_t ring[SIZE];
static unsigned first, count;

void sensor_task(void *parameters) {
    for (;;) {
        uint16_t sample = ADC_DATA & 0x0fff;
        taskENTER_CRITICAL();
        if (count < SIZE) {
            ring[(first + count) % SIZE] = sample;
            count++;
        }
        taskEXIT_CRITICAL();
        vTaskDelay(10);
    }
}

void logger_task(void *parameters) {
    for (;;) {
        taskENTER_CRITICAL();
        assert(count <= SIZE);
        if (count > 0) {
            assert(ring[first] < 4096);
            first = (first + 1) % SIZE;
            count--;
        }
        taskEXIT_CRITICAL();
    }
}

int main(void) {
    first = 0;
    count = 0;
    vTaskStartScheduler();
    assert(0); /* the scheduler does not return */
    return 0;
}
