/** A page that answers one question, from Markdown that begins with `# Title` and the sentence that says what the page is for. */
import { type TextSection, sectionsIn, titlesIn } from '../text/markdown-text.ts';

export interface Explanation {
  path: string;
  title: string;
  lead: string;
  /** The sections by their anchors, without the summary. */
  titles: Readonly<Record<string, string>>;
  /** @throws {Error} if the text names a fact that is not given. */
  sections: (facts?: Readonly<Record<string, number | string>>) => TextSection[];
}

/** An overview, and the pages that it leads to. */
export interface ExplanationSet {
  overview: Explanation;
  parts: readonly Explanation[];
}

/** The anchor of the summary. */
const SUMMARY = 'short';

export function explanationOf(path: string, source: string): Explanation {
  const [, title = '', lead = ''] = /^# (.+)\n\n(.+)\n/.exec(source) ?? [];
  const titles = Object.entries(titlesIn(source)).filter(([id]) => id !== SUMMARY);
  return {
    path,
    title,
    lead,
    titles: Object.fromEntries(titles),
    sections: (facts) => sectionsIn(source, facts),
  };
}
