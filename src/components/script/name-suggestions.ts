/** Suggests operators while a name is typed in the search of a board. */
import { find, listen, make } from './dom.ts';

const WAIT_MS = 250;
const MOST = 8;

interface Listed {
  codename: string;
  display_name: string | null;
}

export function suggestNames(): void {
  const field = find<HTMLInputElement>('[action^="/leaderboard/"] [type=search]');
  const form = field?.form;
  if (!form) return;
  const list = make('datalist', { id: 'names' });
  field.after(list);
  field.setAttribute('list', list.id);

  const suggest = async () => {
    const { value } = field;
    const answer = await fetch(`/api/v1/leaderboard?${queryOf(form)}`);
    if (!answer.ok || field.value !== value) return;
    const { entries, unranked } = (await answer.json()) as Record<'entries' | 'unranked', Listed[]>;
    const options = [...entries, ...unranked].map(({ codename, display_name }) => {
      return new Option(display_name ?? '', codename);
    });
    list.replaceChildren(...options);
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  listen(field, 'input', (event) => {
    const { inputType } = event as InputEvent;
    const isListed = [...list.options].some(({ value }) => value === field.value);
    clearTimeout(timer);
    // A name that was chosen, not typed.
    if (isListed && inputType === 'insertReplacementText') form.submit();
    // Without an answer there are no suggestions, and the search works as before.
    else if (field.value) timer = setTimeout(() => void suggest().catch(() => undefined), WAIT_MS);
  });
}

/** The API's query for a search on the board of a form. */
function queryOf({ action, elements }: HTMLFormElement): URLSearchParams {
  const [, , window = '', metric = ''] = new URL(action).pathname.split('/');
  const query = new URLSearchParams({ window, metric, limit: `${MOST}`, include: 'unranked' });
  for (const { name, value } of elements as unknown as HTMLInputElement[]) {
    if (name && value) query.set(name, value);
  }
  return query;
}
