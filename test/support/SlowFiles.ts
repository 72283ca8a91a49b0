import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** A file that takes longer says why in its first line. */
const LONG_MS = 20_000;
const SHOWN = 10;
/** A run of fewer files shows their times by itself. */
const MIN_FILES = 15;

/** Prints, before the summary, which files took longest, and which of them do not say why. */
export default class SlowFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < MIN_FILES) return;
    const slowest = modules.toSorted((a, b) => takenMs(b) - takenMs(a)).slice(0, SHOWN);
    console.log(['', 'The slowest files:', ...slowest.map(lineOf), ''].join('\n'));
  }
}

function takenMs(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return collectDuration + setupDuration + duration;
}

function lineOf(module: TestModule): string {
  const seconds = (takenMs(module) / 1000).toFixed(1).padStart(7);
  const reason = takenMs(module) > LONG_MS && !saysWhy(module) ? ' (its first line should say why)' : '';
  return `${seconds} s  ${relative(process.cwd(), module.moduleId)}${reason}`;
}

function saysWhy({ moduleId }: TestModule): boolean {
  return readFileSync(moduleId, 'utf8').startsWith('// Slow: ');
}
