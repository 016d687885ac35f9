/** The data of an operator's page. */
import type { Distribution } from '#core/domain/metrics/distribution.ts';
import type { Milestone } from '#core/domain/board/milestone.ts';
import type { DayCalendar, DrawnHistory, OperatorView } from '#core/domain/board/operator-view.ts';
import type { ClassTier, WindowName } from '#core/schema/board.ts';
import type { OperatorStanding, StatedDays, ToolClass } from '#core/schema/operator.ts';
import type { PeerGroups } from '#core/schema/peer.ts';
import type { ShownProfile } from '#core/schema/profile.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { SignalRecord } from '#core/schema/signal-record.ts';
import type { Submission } from '#core/schema/submission.ts';

export interface OperatorSheet {
  codename: string;
  view: OperatorView;
  as_of: string;
  ruleset: string;
  generated_at: string;
  next_refresh_at: string;
  profile: ShownProfile;
  /** Over all tools. */
  class_tier: ClassTier;
  /** By tool, the most used one first. */
  class_by_tool: readonly ToolClass[];
  devices: number;
  /** Null without tokens in the window. */
  standing: OperatorStanding | null;
  /** Null if the operator is not in the publication. */
  peers: PeerGroups | null;
  /** The available tools. */
  tools: string[];
  /** Whether unsigned counts exist. */
  has_unsigned: boolean;
  /** If the window is empty: the shortest one with tokens. */
  elsewhere: WindowName | null;
  /** The distribution of yield on the same board. */
  distribution: Distribution | null;
  /** Null if there are none. */
  stated_days: StatedDays | null;
  history: DrawnHistory;
  calendar: DayCalendar;
  /** Newest first. */
  milestones: readonly Milestone[];
  records: ({ metric: MetricName } & SignalRecord)[];
  submissions: { total: number; entries: Submission[] };
}
