/** Why an operation of a patch cannot be applied; whoever applies it says which one it was. */
export class PatchFault extends Error {
  override readonly name = 'PatchFault';
}
