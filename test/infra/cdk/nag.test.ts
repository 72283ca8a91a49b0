// Slow: the stack is synthesized once for each set of knobs.
import type { App } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { ACCEPTED_FINDINGS } from './acceptedFindings.ts';
import { synthesizedStacks } from './knobSets.ts';

/** Returns what cdk-nag finds in the stack, as sorted lines `rule at path`. A rule that cannot be evaluated is a finding of its own, so that nobody accepts it by accident. */
function findingsIn(app: App): readonly string[] {
  const { violations } = new AwsSolutionsChecks(app).validateScope(app);
  const lines = violations.flatMap(({ ruleName, description, violatingResources }) => {
    const rule = description.startsWith('Rule threw an error') ? `${ruleName} (not evaluated)` : ruleName;
    return violatingResources.map(({ constructPath = '' }) => `${rule} at ${pathInStack(constructPath)}`);
  });
  return lines.toSorted();
}

/** `Driftless/LogTable/Resource` → `LogTable` */
function pathInStack(constructPath: string): string {
  return constructPath.replace(/^Driftless\//, '').replace(/\/Resource$/, '');
}

const accepted = new Set(ACCEPTED_FINDINGS.flatMap(({ rule, at }) => at.map((path) => `${rule} at ${path}`)));
const stacks = synthesizedStacks().map(({ name, app }) => ({ name, findings: findingsIn(app) }));

describe("cdk-nag's AwsSolutions checks", () => {
  it.each(stacks)('find only what is accepted, in the stack with the knobs: $name', ({ findings }) => {
    expect(findings.length).toBeGreaterThan(5);
    expect(findings.filter((finding) => !accepted.has(finding))).toEqual([]);
  });

  it('find everything that is accepted', () => {
    const found = new Set(stacks.flatMap(({ findings }) => findings));
    expect([...accepted].filter((finding) => !found.has(finding))).toEqual([]);
  });

  it('are accepted with an explanation', () => {
    for (const { rule, why } of ACCEPTED_FINDINGS) expect(why, rule).toMatch(/^.{30,}\.$/);
  });
});
