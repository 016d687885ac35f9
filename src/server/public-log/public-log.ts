import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '../context.ts';

type OpenLog = NonNullable<ReturnType<AppContext['publicLog']['open']>>;

/**
 * The public log's file.
 *
 * @throws {DomainError} `service_unavailable` while it is being written.
 */
export function openPublicLog({ publicLog }: AppContext): OpenLog {
  const open = publicLog.open();
  if (open) return open;
  throw new DomainError('service_unavailable', 'The public log is being written');
}
