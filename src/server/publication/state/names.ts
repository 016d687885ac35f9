/** The names of an operator as one text, whose first line is the slot. */
import { textAt, type TextBlocks } from './blocks.ts';

/** An operator's public names. */
export interface SeenName {
  codename: string;
  display_name: string | null;
}

/** What is shown of an operator by name. */
export interface ShownNames extends SeenName {
  /** Null if it is not shown. */
  cohort: string | null;
}

/** The last line is for searches, which ignore case. */
export function namesText(slot: number, { codename, display_name, cohort }: ShownNames): string {
  const shown = oneLine(display_name ?? '');
  return [slot, codename, shown, oneLine(cohort ?? ''), shown.toLowerCase()].join('\n');
}

/** A line feed or a zero byte would end a name too early. */
function oneLine(text: string): string {
  return text.replaceAll(/[\n\0]/g, ' ');
}

export function namesAt(texts: TextBlocks, position: number): ShownNames & { slot: number } {
  const [slot, codename = '', shown, cohort] = textAt(texts, position).split('\n');
  return { slot: Number(slot), codename, display_name: shown || null, cohort: cohort || null };
}
