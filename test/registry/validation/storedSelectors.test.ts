import { describe, expect, test } from 'vitest';
import { jobs } from '../../../lambdas/registry/resources/jobs.ts';
import { networkPolicies } from '../../../lambdas/registry/resources/networkPolicies.ts';
import { podDisruptionBudgets } from '../../../lambdas/registry/resources/podDisruptionBudgets.ts';
import { createErrors, updateErrors } from '../../support/kindBench.ts';

const selectorOf = (...values: string[]) => ({ matchExpressions: [{ key: 'app', operator: 'NotIn', values }] });
const WRONG = selectorOf('not a value');
const OTHER = selectorOf('another wrong one!');
const RIGHT = selectorOf('web');
/** Validation has always looked at these. */
const WRONG_LABEL = { matchLabels: { app: 'not a value' } };

const uid = { 'batch.kubernetes.io/controller-uid': 'u1' };
const job = (selector: object) => ({
  spec: {
    manualSelector: true,
    selector: { ...selector, matchLabels: uid },
    template: {
      metadata: { labels: uid },
      spec: { restartPolicy: 'Never', containers: [{ name: 'pi', image: 'perl:5' }] },
    },
  },
});
const policy = (selector: object, from: object = RIGHT) => ({
  spec: { podSelector: selector, ingress: [{ from: [{ podSelector: from }] }] },
});
const budget = (selector: object) => ({ spec: { selector, minAvailable: 1 } });

const pathsOf = (messages: readonly string[]) => messages.map((message) => message.split(': ')[0]);

describe('a selector with a wrong value', () => {
  test.each([
    ['a Job', jobs, job(WRONG), 'spec.selector.matchExpressions[0].values[0]'],
    ['a NetworkPolicy', networkPolicies, policy(WRONG), 'spec.podSelector.matchExpressions[0].values[0]'],
    [
      'a NetworkPolicy, of a peer',
      networkPolicies,
      policy(RIGHT, WRONG),
      'spec.ingress[0].from[0].podSelector.matchExpressions[0].values[0]',
    ],
    ['a PodDisruptionBudget', podDisruptionBudgets, budget(WRONG), 'spec.selector.matchExpressions[0].values[0]'],
  ])('of %s is refused when it is new', (_, entry, members, path) => {
    expect(pathsOf(createErrors(entry, members))).toEqual([path]);
  });

  test.each([
    ['a Job keeps it', jobs, job(WRONG), job(WRONG), []],
    ['a NetworkPolicy keeps it', networkPolicies, policy(WRONG), policy(WRONG), []],
    ['a NetworkPolicy gets another one', networkPolicies, policy(OTHER, OTHER), policy(WRONG), []],
    ['a NetworkPolicy gets a right one', networkPolicies, policy(RIGHT), policy(WRONG), []],
    [
      'a NetworkPolicy whose own selector is right gets it',
      networkPolicies,
      policy(WRONG),
      policy(RIGHT),
      ['spec.podSelector.matchExpressions[0].values[0]'],
    ],
    [
      'a NetworkPolicy gets a wrong label',
      networkPolicies,
      policy(WRONG_LABEL),
      policy(WRONG),
      ['spec.podSelector.matchLabels'],
    ],
    ['a PodDisruptionBudget keeps it', podDisruptionBudgets, budget(WRONG), budget(WRONG), []],
  ])('that is stored already: %s', (_, entry, members, stored, paths) => {
    expect(pathsOf(updateErrors(entry, members, stored))).toEqual(paths);
  });
});
