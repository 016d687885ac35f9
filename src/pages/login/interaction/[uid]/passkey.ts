import { passkeyEndpoint } from '#server/http/passkey-endpoint.ts';
import { field } from '#server/http/request/forms.ts';

export const POST = passkeyEndpoint(({ params }, form) => ({
  action: field(form, 'action') === 'passkey-sign-up' ? 'sign-up' : 'sign-in',
  purpose: { interaction: params['uid'] ?? '', operator_id: null },
}));
