/**
 * What is there, or will be: nothing waits for what is there. A promise for each step of a request
 * would cost more than the step.
 */
export type Awaitable<Value> = Value | Promise<Value>;

/** @returns what comes of a value, now if the value is there now */
export function after<Value, Next>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Next>,
): Awaitable<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
