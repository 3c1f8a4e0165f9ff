/** A time span: a number of milliseconds, or a text such as `500ms`, `5s`, `5m`, `2h`, `1d`. */
export type Duration = number | string;

/** @returns the text that the control API reads */
export function toDurationText(duration: Duration): string {
  return typeof duration === 'number' ? `${duration}ms` : duration;
}
