import { nullIfRefused } from '#core/domain/text/errors.ts';
import type { Beside, OperatorView } from '#core/domain/board/operator-view.ts';
import { Codename } from '#core/schema/scalars.ts';
import { currentName } from '../operator/codenames.ts';
import type { AppContext } from '../context.ts';
import { readOperatorIn } from './operator.ts';

/** The operator that a view lays beside the one called `codename`, found by a name that it has or had. */
export function readBeside(ctx: AppContext, codename: string, view: OperatorView): Beside | null {
  const { beside: asked } = view;
  if (asked === null) return null;
  if (!Codename.safeParse(asked).success) return { asked, fault: 'no_page' };
  const name = currentName(ctx, asked);
  if (name === codename) return { asked, fault: 'same' };
  const found = nullIfRefused(() => readOperatorIn(ctx, name, view), 'not_found');
  if (found === null) return { asked, fault: 'no_page' };
  const { display_name, standing } = found;
  return { asked, fault: null, codename: name, display_name, standing };
}
