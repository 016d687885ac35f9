/** The data of a year or month in review. */
import type { Milestone } from '#core/domain/board/milestone.ts';
import type { DayCalendar } from '#core/domain/board/operator-view.ts';
import type { PeriodEnd, Review, ReviewSpan } from '#core/domain/board/review.ts';
import type { ModelUsage, OtherUsage, ToolUsage } from '#core/schema/operator.ts';

export interface ReviewSheet {
  codename: string;
  display_name: string | null;
  as_of: string;
  ruleset: string;
  generated_at: string;
  next_refresh_at: string;
  active_day_tokens: number;
  span: ReviewSpan;
  /** The number of the last day that has begun. */
  until: number;
  /** The periods before and after this one; null if there is nothing to review. */
  previous: string | null;
  next: string | null;
  /** Null without tokens. */
  review: Review | null;
  calendar: DayCalendar['days'];
  /** Those of the period, newest first. */
  milestones: readonly Milestone[];
  /** Null if no board of the period is stored. */
  end: PeriodEnd | null;
  tools: readonly ToolUsage[];
  models: readonly ModelUsage[];
  other_models: OtherUsage | null;
}
