interface Known<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** Returns the value of a key. One that is not in the map, or undefined, is made and added. */
export function remember<Key, Value>(known: Known<Key, Value>, key: Key, make: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}

/** Returns a function that makes the value of each object on the first call for it. */
export function onceEach<Key extends object, Value>(make: (key: Key) => Value) {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key: Key): Value => remember(known, key, () => ({ value: make(key) })).value;
}

/** Returns a function that makes its value on the first call. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns a function that makes the value of a key, if the call before was not for the same one. */
export function keepLast<Key extends string | number | object, Value>(make: (key: Key) => Value) {
  let last: { readonly key: Key; readonly value: Value } | undefined;
  return (key: Key): Value => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}

/** A value that is made in parts. */
interface InParts<Value> {
  /** Makes the next part; returns false if nothing is left. */
  next(): boolean;
  /** Makes all parts that are left, and returns the value. */
  whole(): Value;
  /** True once all parts are made. */
  readonly isWhole: boolean;
  /** Makes all parts that are left, one in each turn of the event loop. */
  inTurns(): Promise<void>;
  /** True while {@link inTurns} makes parts. */
  readonly isInTurns: boolean;
}

/** Returns what makes a value in parts, as the generator yields. After an error it begins again. */
export function inParts<Value>(make: () => Generator<void, Value>): InParts<Value> {
  let parts: Generator<void, Value> | undefined;
  let made: { readonly value: Value } | undefined;
  const next = (): boolean => {
    if (made !== undefined) return false;
    parts ??= make();
    try {
      const result = parts.next();
      if (result.done) made = { value: result.value };
    } catch (error) {
      parts = undefined;
      throw error;
    }
    return made === undefined;
  };
  const whole = (): Value => {
    for (;;) {
      if (made !== undefined) return made.value;
      next();
    }
  };
  const makeInTurns = async (): Promise<void> => {
    while (next()) await new Promise(setImmediate);
  };
  let turns: Promise<void> | undefined;
  return {
    next,
    whole,
    get isWhole() {
      return made !== undefined;
    },
    get isInTurns() {
      return turns !== undefined;
    },
    inTurns() {
      turns ??= makeInTurns().finally(() => {
        turns = undefined;
      });
      return turns;
    },
  };
}

/** Groups items by their keys, in the order of the first item of each, as `Map.groupBy` does. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key) {
  const groups = new Map<Key, Item[]>();
  for (const item of items) remember(groups, keyOf(item), () => []).push(item);
  return groups as ReadonlyMap<Key, readonly Item[]>;
}
