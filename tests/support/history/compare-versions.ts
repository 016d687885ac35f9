/** Compares the numbers of board versions, by which cursors find a board, with what the boards show. */
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { Moment } from './compare.ts';
import { expectSame } from './expect-same.ts';
import { type ReferenceBoard, boardIn } from './reference-board.ts';
import type { ReferenceMember } from './reference-members.ts';

/** Compares each board's version with that of the same board at an earlier moment. */
export function compareVersions(earlier: Moment, newer: Moment): void {
  const { publication, reference } = newer;
  for (const slice of reference.slices) {
    if (slice.tool !== null && !earlier.reference.tools.includes(slice.tool)) continue;
    for (const window of WINDOWS) {
      const [before, after] = [earlier, newer].map((moment) => {
        const board = boardIn(moment.reference, slice, window);
        return { version: moment.publication.boardVersion(window, slice), moment, board };
      }) as [Version, Version];
      const what = `version of ${JSON.stringify(slice)} ${window}`;
      expectSame(`known ${what}`, publication.hasVersion(after.version), true);
      const isSame = before.version === after.version;
      if (isSame) expectSame(`${what}: shows the same`, shown(after), shown(before));
      else expectSame(`${what}: is another`, isEqual(before, after), false);
    }
  }
}

interface Version {
  version: number;
  moment: Moment;
  board: ReferenceBoard;
}

/** What readers see of a board's rows and their order, without movements, which change with the day. */
function shown({ moment: { reference }, board }: Version): string {
  const nameOf = ({ id, codename, display_name, cohort, in_figures }: ReferenceMember) => {
    return [codename, display_name, cohort, in_figures, reference.classes.get(id)];
  };
  const rankings = METRIC_NAMES.map((metric) => {
    const { ranked, unranked } = board.rankings[metric];
    return [
      ranked.map((one) => [one.row.member.codename, [one.rank, one.best, one.worst]]),
      unranked.map(({ member }) => member.codename),
    ];
  });
  const rows = board.rows.map(({ member, standing }) => [nameOf(member), standing]);
  return JSON.stringify([rows, rankings]);
}

/**
 * Whether nothing differs from which a board is computed or shown. Then its version must stay. It may change if ranks are
 * compared with those of other days.
 */
function isEqual(before: Version, after: Version): boolean {
  const all = ({ moment: { reference, days }, board: { slice } }: Version) => [
    reference.rules.id,
    [reference.as_of, ...days.comparedWith(reference.as_of)],
    slice.trust === 'all' && reference.self_reported,
    reference.members.map(({ usage: _, parts: __, tools: ___, isSelfReported: ____, ...rest }) => [
      rest,
      reference.classes.get(rest.id),
    ]),
  ];
  const isSameBoard = shown(before) === shown(after);
  return isSameBoard && JSON.stringify(all(before)) === JSON.stringify(all(after));
}
