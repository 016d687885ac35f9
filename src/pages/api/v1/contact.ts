import { contactAdmin } from '#core/contract/account.ts';
import { contactAdmin as contact } from '#server/operator/contact-admin.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(contactAdmin, ({ ctx, caller, body }) => {
    return { body: contact(ctx, caller.operator_id, body) };
  }),
);
