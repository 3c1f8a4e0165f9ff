import { type Awaitable, after } from '../base/awaitable.ts';
import { Problem } from '../base/problem.ts';
import { createRandom, type Random } from '../base/random.ts';
import type { RoutedRequest } from '../request/request.ts';
import { Effects } from '../rules/decide.ts';
import type { Change } from '../state/store.ts';
import { type Replay, readReplay } from './replay.ts';
import type { Session } from './session.ts';

const NOTHING: readonly Change[] = [];

/**
 * One request of a session, with its number and its own stream of random numbers, which session
 * seed and number determine. So no other request has an effect on what happens to it.
 */
export class Call {
  readonly session: Session;
  /** From 1, in the order of arrival. The journal and the client use it. */
  readonly number: number;
  readonly #turn: number;
  changes: readonly Change[] = NOTHING;
  readonly effects = new Effects();
  /** The call that this one replays: {@link repeat} sets it. */
  replay: Replay | undefined;
  #random: Random | undefined;
  #now: number | undefined;

  constructor(session: Session) {
    const { number, turn } = session.takeNumbers();
    this.session = session;
    this.number = number;
    this.#turn = turn;
  }

  /** The random seed of the session, or of the call that is replayed. */
  get seed(): string {
    return this.replay?.seed ?? this.session.seed;
  }

  /** Created at first use: most requests need no random numbers. */
  get random(): Random {
    this.#random ??= createRandom(this.#source);
    return this.#random;
  }

  /** Returns a random stream that only this purpose draws from. */
  chanceOf(purpose: string): Random {
    let random: Random | undefined;
    // Created when it is first drawn from: most rules draw nothing.
    return {
      next: () => {
        random ??= createRandom(`${this.#source}\n${purpose}`);
        return random.next();
      },
    };
  }

  /** By the session's clock; milliseconds since 1970. It is the same from its first use on. */
  now(): number {
    this.#now ??= this.session.clock.now();
    return this.replay?.at ?? this.#now;
  }

  get #source(): string {
    return `${this.seed}\n${this.replay?.call ?? this.#turn}`;
  }

  /** Takes the random numbers and the moment of an earlier call; before any is drawn. */
  repeat(replay: Replay): void {
    this.replay = replay;
    this.#random = undefined;
  }

  /** Returns what replays this call. */
  describe(operation: string | undefined): Replay {
    return {
      seed: this.seed,
      call: this.replay?.call ?? this.#turn,
      at: this.now(),
      operation,
      rules: this.effects.recorded.acted,
    };
  }
}

/**
 * Makes a call repeat an earlier one: the one that `Mock-Replay` names or, once, the one that the
 * mock was started with.
 *
 * @throws {Problem} INVALID_REPLAY
 */
export function applyReplay(call: Call, { fields, operation }: RoutedRequest): Awaitable<void> {
  const claimed = call.session.claimReplay(operation.id);
  const field = fields.get('mock-replay');
  return claimed === undefined && field === undefined ? undefined : repeat(call, field, claimed);
}

function repeat(
  call: Call,
  field: string | undefined,
  claim: Awaitable<Replay | undefined>,
): Awaitable<void> {
  return after(claim, (claimed) => {
    const replay = field === undefined ? claimed : readReplay(field);
    if (replay !== undefined) call.repeat(replay);
    else if (field !== undefined) {
      throw new Problem(
        'INVALID_REPLAY',
        'Mock-Replay must be the value from an earlier response, such as seed="coldframe", call=17',
      );
    }
  });
}
