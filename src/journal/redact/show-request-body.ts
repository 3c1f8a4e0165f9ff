import type { RequestView } from '../../request/view.ts';
import { type BodyDescription, showBody } from './show-body.ts';
import type { Showing } from './showing.ts';
import { schemaOfRequest } from './shown-schemas.ts';

/** @returns the body of a request as it was sent and as a value, without its secrets */
export function showRequestBody(view: RequestView, showing: Showing): BodyDescription {
  const { fields, rawBody } = view.request;
  return showBody(
    {
      bytes: rawBody === 'too-large' ? '' : rawBody,
      mediaType: fields.get('content-type'),
      isCoded: (fields.get('content-encoding') ?? 'identity') !== 'identity',
      value: view.body,
      schema: schemaOfRequest(view, showing.redaction),
    },
    showing,
  );
}
