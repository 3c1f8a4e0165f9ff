/** The largest page; what needs more has a page of its own. */
const PAGE_BYTES = 16 * 1024;

/**
 * Memory outside the heap, in pages that many small things share: the garbage collector neither
 * follows nor copies them. A page is freed when nothing refers to it any more.
 */
export class BytePages {
  /** The page of the last reservation. */
  page: Buffer = Buffer.alloc(0);
  #end = 0;

  /**
   * Returns where in {@link page} there is room for so many bytes.
   *
   * @param used how many bytes the owner uses: a new page adds as many at most, so that little of it
   *   stays empty
   */
  reserve(bytes: number, used: number): number {
    let start = this.#end;
    if (start + bytes > this.page.length) {
      const size = Math.max(bytes, Math.min(PAGE_BYTES, used));
      this.page = Buffer.allocUnsafeSlow(size);
      start = 0;
    }
    this.#end = start + bytes;
    return start;
  }
}
