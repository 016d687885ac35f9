import { contactKeeper } from '#core/contract/contact.ts';
import { contactKeeper as contact } from '#server/operator/contact-admin.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(contactKeeper, ({ ctx, caller, body }) => {
    return { body: contact(ctx, caller.operator_id, body) };
  }),
);
