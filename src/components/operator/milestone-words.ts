/** Texts of milestones. */
import { type Milestone, milestoneName } from '#core/domain/board/milestone.ts';
import { markup } from '#core/domain/text/escape.ts';
import { challengeHref, operatorHref } from '../text/addresses.ts';
import { classText } from '../text/entry-words.ts';
import { count, momentText, whole } from '../text/format.ts';
import { METRIC_WORDS } from '../text/words.ts';

interface MilestoneText {
  text: string;
  /** More about it; null if there is nothing. */
  href: string | null;
}

export function milestoneText(milestone: Milestone): MilestoneText {
  switch (milestone.kind) {
    case 'first_rank':
      return { text: `First rank: ${whole(milestone.rank)}`, href: null };
    case 'active_days':
      return { text: count(milestone.days, 'active day'), href: null };
    case 'class': {
      const { class_tier } = milestone;
      return { text: `New class: ${classText(class_tier)}`, href: `/classes#${class_tier}` };
    }
    case 'records': {
      const names = milestone.metrics.map((metric) => METRIC_WORDS[metric].name);
      return { text: `New record: ${names.join(', ')}`, href: '/hall-of-signal' };
    }
    case 'challenge': {
      const { id, title, rank, total } = milestone;
      const text = `Rank ${whole(rank)} of ${whole(total)} in ${title}`;
      return { text, href: challengeHref(id) };
    }
  }
}

/** An entry of the operator's feed. Its name uses the operator's ID, which stays the same when the codename changes. */
export function milestoneEntry(
  milestone: Milestone,
  { id, codename }: { id: string; codename: string },
) {
  const { text, href } = milestoneText(milestone);
  const { day } = milestone;
  const { html } = markup`<p>${codename}, ${momentText(day, 'date')}: ${text}.</p>`;
  const updated = milestone.kind === 'records' ? milestone.achieved_at : `${day}T00:00:00.000Z`;
  return {
    name: `${milestoneName(milestone)} of ${id}`,
    title: `${codename}: ${text}`,
    html,
    href: href ?? operatorHref(codename),
    updated,
  };
}
