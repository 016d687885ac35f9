/** The distribution of operators over leverage and velocity, the two independent metrics. */
import { medianOf } from './median.ts';
import { axisPosition, axisValue } from './metric-axis.ts';

/** The operators in one cell of the grid: their center and their number. */
export interface SpreadPoint {
  leverage: number;
  velocity: number;
  count: number;
}

/** Operators on a grid of leverage and velocity. */
export interface Spread {
  /** The number of operators. */
  total: number;
  /** How many of them have no point because one of the two values is 0. */
  zeros: number;
  /** By leverage, then velocity, ascending. */
  points: SpreadPoint[];
  /** Medians of all operators. */
  medians: { leverage: number; velocity: number };
}

/** The width of a cell in powers of ten: 5%, finer than a chart can show. */
const FINEST = 0.02;
const COARSER = [0.05, 0.1, 0.2, 0.5, 1, 2];

/** More rows than any grid has. Ratios of token counts span 32 powers of ten. */
const ROWS = 1e5;

interface Cell {
  column: number;
  row: number;
  count: number;
  /** Sums of the positions. */
  leverage: number;
  velocity: number;
}

/** More points would be finer than a chart can show, and make pages too large. */
const MAX_POINTS = 1000;

/**
 * The spread of operators over leverage and velocity; null below five operators. It uses the finest logarithmic
 * grid with at most 1000 occupied cells. An operator who is alone in a cell keeps the exact position.
 *
 * @param leverages The finite leverage of each operator. Not modified.
 * @param velocities The velocities of the same operators, in the same order. Not modified.
 */
export function spreadOf(leverages: Float64Array, velocities: Float64Array): Spread | null {
  const leverage = medianOf(leverages.slice());
  const velocity = medianOf(velocities.slice());
  if (leverage === null || velocity === null) return null;
  const total = leverages.length;
  const points = finestCells(leverages, velocities);
  const placed = points.reduce((sum, { count }) => sum + count, 0);
  return { total, zeros: total - placed, points, medians: { leverage, velocity } };
}

function finestCells(leverages: Float64Array, velocities: Float64Array): SpreadPoint[] {
  let cells = cellsOf(leverages, velocities, FINEST);
  for (const width of COARSER) {
    if (cells.length <= MAX_POINTS) break;
    cells = cellsOf(leverages, velocities, width);
  }
  return cells;
}

function cellsOf(leverages: Float64Array, velocities: Float64Array, width: number): SpreadPoint[] {
  const cells = new Map<number, Cell>();
  leverages.forEach((value, at) => {
    const leverage = axisPosition('leverage', value);
    const velocity = axisPosition('velocity', velocities[at] as number);
    if (!Number.isFinite(leverage) || !Number.isFinite(velocity)) return;
    const [column, row] = [Math.floor(leverage / width), Math.floor(velocity / width)];
    const key = column * ROWS + row;
    const cell = cells.get(key) ?? { column, row, count: 0, leverage: 0, velocity: 0 };
    cell.count += 1;
    cell.leverage += leverage;
    cell.velocity += velocity;
    cells.set(key, cell);
  });
  return [...cells.values()].sort((a, b) => a.column - b.column || a.row - b.row).map(pointOf);
}

function pointOf({ leverage, velocity, count }: Cell): SpreadPoint {
  return {
    leverage: axisValue('leverage', leverage / count),
    velocity: axisValue('velocity', velocity / count),
    count,
  };
}
