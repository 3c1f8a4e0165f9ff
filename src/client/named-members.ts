/**
 * Gives an object members of every name: its own, and for each other name what is created for it.
 *
 * @typeParam Named what that makes: which names there are only its user knows
 * @param create makes the member of a name; never a function, as whatever has a function `then` is
 *   taken for a promise
 */
export function createNamed<Named>(own: object, create: (name: string) => unknown): Named {
  return new Proxy(own, {
    get(target, name) {
      if (typeof name === 'symbol' || name in target) {
        return bind(target, Reflect.get(target, name, target));
      }
      return create(name);
    },
  }) as Named;
}

/** A method finds the private fields of its object, which the proxy has not. */
function bind(target: object, member: unknown): unknown {
  return typeof member === 'function' ? member.bind(target) : member;
}
