/**
 * A value, or a promise of it where something has to be waited for. A promise for each step of a
 * request would cost more than the step.
 */
export type Awaitable<Value> = Value | Promise<Value>;
type Step<Value, Next> = (value: Value) => Awaitable<Next>;

/** Returns the result of `next` for a value: at once, unless the value is a promise. */
export function after<Value, Next>(value: Awaitable<Value>, next: Step<Value, Next>) {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Returns the result of `next`, as {@link after} does. `given` is what `next` needs besides the
 * value: a closure over it would be created for every request.
 */
export function afterWith<Given, Value, Next>(
  value: Awaitable<Value>,
  given: Given,
  next: (given: Given, value: Value) => Awaitable<Next>,
) {
  return value instanceof Promise ? later(value, given, next) : next(given, value);
}

async function later<Given, Value, Next>(
  value: Promise<Value>,
  given: Given,
  next: (given: Given, value: Value) => Awaitable<Next>,
) {
  return next(given, await value);
}

/** Returns the result of a step or, where it throws or rejects, that of `recover`. */
export function attempt<Value>(step: () => Awaitable<Value>, recover: Step<unknown, Value>) {
  try {
    const value = step();
    return value instanceof Promise ? value.catch(recover) : value;
  } catch (error) {
    return recover(error);
  }
}

/** Returns the results of a step for each item, one after the other. */
export function afterEach<Item, Result>(
  items: readonly Item[],
  step: Step<Item, Result>,
): Awaitable<readonly Result[]> {
  // One item, as in most requests, needs no list that can grow.
  if (items.length === 1) return after(step(items[0] as Item), (result) => [result]);
  return afterAll(items, step);
}

function afterAll<Item, Result>(items: readonly Item[], step: Step<Item, Result>) {
  const results: Result[] = [];
  const goOn = (from: number): Awaitable<readonly Result[]> => {
    for (let index = from; index < items.length; index++) {
      const result = step(items[index] as Item);
      if (result instanceof Promise) {
        return result.then((late) => {
          results.push(late);
          return goOn(index + 1);
        });
      }
      results.push(result);
    }
    return results;
  };
  return goOn(0);
}
