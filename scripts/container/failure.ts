/** Something that would break the image or its users: told without a stack. */
export class Failure extends Error {
  override readonly name = 'Failure';
}
