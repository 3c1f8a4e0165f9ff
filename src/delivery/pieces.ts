import type { Pace } from './pace.ts';

/** A part of a body. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** When it is due; milliseconds since the head went out. */
  readonly due: number;
}

/** As many times a second bytes are sent at most, where the bandwidth is limited. */
const PIECES_A_SECOND = 20;

/** Cuts a body into the pieces that it is sent in; without a pace there is one. Never empty ones. */
export function cutByPace(body: Uint8Array, pace: Pace | undefined): Iterable<Piece> {
  if (body.length === 0) return [];
  switch (pace?.kind) {
    case undefined:
      return [{ bytes: body, due: 0 }];
    case 'dribble':
      return cutEvenly(body, pace.pieces, pace.milliseconds);
    case 'bandwidth':
      return cutByBandwidth(body, pace.bytesPerSecond);
  }
}

/** A body of fewer bytes than pieces comes byte by byte; each piece has its wait before it. */
function* cutEvenly(
  body: Uint8Array,
  pieces: number,
  milliseconds: number,
): Generator<Piece, void> {
  const { length } = body;
  const count = Math.min(pieces, length);
  for (let piece = 1; piece <= count; piece++) {
    const from = Math.floor((length * (piece - 1)) / count);
    const to = Math.floor((length * piece) / count);
    yield { bytes: body.subarray(from, to), due: Math.round((milliseconds * piece) / count) };
  }
}

function* cutByBandwidth(body: Uint8Array, bytesPerSecond: number): Generator<Piece, void> {
  const { length } = body;
  const size = Math.max(1, Math.floor(bytesPerSecond / PIECES_A_SECOND));
  for (let from = 0; from < length; from += size) {
    const to = Math.min(from + size, length);
    yield { bytes: body.subarray(from, to), due: Math.round((to * 1000) / bytesPerSecond) };
  }
}
