import type { RequestView } from '../../request/view.ts';
import type { Redaction } from './redaction.ts';
import { createSecretTexts, type SecretTexts } from './secret-texts.ts';
import { showFields } from './show-fields.ts';
import { showParameters } from './show-parameters.ts';
import { showRequestBody } from './show-request-body.ts';
import { showTarget } from './show-target.ts';
import type { Showing } from './showing.ts';

/** What takes a request's secrets out of sentences about it. */
export function findSecrets(view: RequestView, redaction: Redaction): SecretTexts {
  const showing: Showing = { redaction, operation: view.operation, secrets: [] };
  if (!redaction.showsSecrets) {
    const { target, fields } = view.request;
    showTarget(target, view, showing);
    showFields(fields.entries(), showing);
    showParameters(view, showing);
    showRequestBody(view, showing);
  }
  return createSecretTexts(showing.secrets);
}
