/** Everyday accidents: whatever happens to logs, state, devices and board, every response counts once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Household } from '#tests/support/agent/household.ts';
import { runOpbench } from '#tests/support/agent/opbench.ts';
import { expectCounted } from '#tests/support/agent/scenario.ts';
import { BOARD_SCENARIOS } from '#tests/support/agent/scenarios-board.ts';
import { LOG_SCENARIOS } from '#tests/support/agent/scenarios-logs.ts';
import { STATE_SCENARIOS } from '#tests/support/agent/scenarios-state.ts';
import { SimulatedBoard } from '#tests/support/agent/simulated-board.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SCENARIOS = [...STATE_SCENARIOS, ...LOG_SCENARIOS, ...BOARD_SCENARIOS];

let board: SimulatedBoard;

beforeAll(async () => void (board = await SimulatedBoard.start()));
afterAll(() => board.end());

test.each(SCENARIOS.map((scenario, at) => ({ ...scenario, at })))('$name', async (scenario) => {
  // Processes break each other's locks if their clock is hours ahead of file times.
  const isReal = scenario.at === 0;
  const firstMs = board.clock.nowMs() + (isReal ? 0 : DAY_MS);
  const house = new Household(board, `person-${scenario.at}`, firstMs);
  if (!isReal) house.goTo(0);
  await expectCounted(scenario, house);
});

test('the log proves the same counts', async () => {
  const env = { HOME: board.folder };
  const { status, stdout, stderr } = await runOpbench(['verify', board.url], env);
  expect({ status, said: stdout + stderr }).toMatchObject({ status: 0 });
  expect(await board.admin('verify')).toContain('No problems found');
});
