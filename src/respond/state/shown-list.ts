import type { Content } from '../../contract/content.ts';
import type { Declared } from '../../contract/responses.ts';
import type { ListFacts } from '../../resources/list/list-facts.ts';
import type { ListRequest } from '../../resources/list/list-terms.ts';
import type { Page } from '../../resources/list/page.ts';

/** What the answer that shows a list is made of. */
export interface ShownList {
  readonly declared: Declared;
  /** Undefined where the answer has no body. */
  readonly content: Content | undefined;
  readonly facts: ListFacts;
  readonly wanted: ListRequest;
  readonly page: Page;
}
