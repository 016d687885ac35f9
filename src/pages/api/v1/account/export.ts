import { exportAccount } from '#core/contract/account-export.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { exportAccount as exportOf } from '#server/account/account-export.ts';

export const ALL = endpoint(
  bind(exportAccount, ({ ctx, caller }) => ({ pieces: exportOf(ctx, caller.operator_id) })),
);
