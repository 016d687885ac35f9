import type { Reporter, TestModule } from 'vitest/node';

/** Prints one plain line at the end of the run, which any CI can parse. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => results.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const line = `${count('passed')} passed, ${count('failed') + broken} failed`;
    process.stdout.write(`\n${line}\n`);
  }
}
