import { isAlias } from '#core/domain/account/codename.ts';
import type { Moment } from './compare.ts';
import { expectSame } from './expect-same.ts';
import { boardIn } from './reference-board.ts';
import type { ReferenceMember } from './reference-members.ts';

/** Compares the operators who can be compared with each other: who they are, and their ranks and shapes. */
export function comparePeers({ publication, reference }: Moment): void {
  const board = boardIn(reference, { tool: null, trust: 'signed' }, '90d');
  const { ranked } = board.rankings.yield;
  const byName = ranked.toSorted((a, b) => (codenameOf(a) < codenameOf(b) ? -1 : 1));
  const { field, indexOf } = publication.peers();
  expectSame('peers', field.size, byName.length);
  byName.forEach(({ row, rank }, at) => {
    const { codename, display_name } = row.member;
    const { input, output, cache_read } = row.standing.bases.read;
    const candidate = field.candidate(at);
    expectSame(
      `peer ${codename}`,
      { ...candidate, ...candidate.counts, counts: null, conservative: null, cache_write: null },
      {
        ...{ codename, display_name, rank, input, output, cache_read },
        class_tier: reference.classes.get(row.member.id) ?? 'unclassed',
        isOpen: !isAlias(codename),
        tools: candidate.tools,
        ...{ counts: null, conservative: null, cache_write: null },
      },
    );
    expectSame(`index of peer ${codename}`, indexOf(codename), at);
    expectSame(
      `conservative values of peer ${codename}`,
      candidate.conservative,
      Object.fromEntries(
        (['leverage', 'velocity'] as const).map((metric) => {
          const found = board.rankings[metric].ranked.find((other) => other.row === row);
          return [metric, found?.low ?? Number.NaN];
        }),
      ),
    );
  });
}

function codenameOf({ row }: { row: { member: ReferenceMember } }): string {
  return row.member.codename;
}
