import { describe, expect, test } from 'vitest';
import { jobs } from '../../../lambdas/registry/resources/jobs.ts';
import { updateErrors } from '../../support/kindBench.ts';

type Members = Record<string, unknown>;

const uid = { 'batch.kubernetes.io/controller-uid': 'u1' };
const old = { 'controller-uid': 'u1', 'job-name': 'x' };
const generated = { ...uid, ...old, 'batch.kubernetes.io/job-name': 'x' };
const container = { name: 'pi', image: 'perl:5' };
const podSpec = { restartPolicy: 'Never', containers: [container] };

const template = (spec: Members = {}, labels: Members = generated): Members => ({
  metadata: { labels },
  spec: { ...podSpec, ...spec },
});
const stored = (spec: Members = {}, status?: Members): Members => ({
  spec: { selector: { matchLabels: uid }, template: template(), ...spec },
  ...(status && { status }),
});

const node = (key: string) => ({
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }],
  },
});
const pods = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: {} }] };
const sized = (cpu: string) => ({ containers: [{ ...container, resources: { requests: { cpu } } }] });
const SUSPENDED = { conditions: [{ type: 'Suspended', status: 'True' }] };
const STARTED = '2026-01-31T11:59:00Z';
const TEMPLATE = 'spec.template: field is immutable';
const POD = 'spec.template.spec: field is immutable';

/** The errors without the values, which are whole templates. */
function errorsOf(members: Members, before: Members): string[] {
  return updateErrors(jobs, members, before).map((message) => message.replace(/: Invalid value: \{.*\}:/, ':'));
}

// The rows follow ValidateJobUpdate of pkg/apis/batch/validation.
describe('a changed Job', () => {
  test.each<[string, Members, Members, string[]]>([
    ['may run more pods at once', stored({ parallelism: 5, completions: 1 }), stored(), []],
    [
      'keeps its completions',
      stored({ completions: 2 }),
      stored(),
      ['spec.completions: Invalid value: 2: field is immutable'],
    ],
    [
      'with indexes changes its completions and its parallelism together',
      stored({ completionMode: 'Indexed', completions: 5, parallelism: 5 }),
      stored({ completionMode: 'Indexed', completions: 3, parallelism: 3 }),
      [],
    ],
    [
      'with indexes does not change its completions alone',
      stored({ completionMode: 'Indexed', completions: 5, parallelism: 3 }),
      stored({ completionMode: 'Indexed', completions: 3, parallelism: 3 }),
      ['spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism'],
    ],
    [
      'keeps its manager and its mode',
      stored({ managedBy: 'example.com/other', completionMode: 'Indexed', completions: 1 }),
      stored({ managedBy: 'example.com/one' }),
      [
        'spec.completionMode: Invalid value: "Indexed": field is immutable',
        'spec.managedBy: Invalid value: "example.com/other": field is immutable',
      ],
    ],
    [
      'that runs keeps its template',
      stored({ template: template({ nodeSelector: { disk: 'ssd' } }) }),
      stored(),
      [TEMPLATE],
    ],
    [
      'that was stored before Kubernetes 1.27 keeps its labels',
      stored({ selector: { matchLabels: { 'controller-uid': 'u1' } }, template: template({}, old), suspend: true }),
      stored({ selector: { matchLabels: { 'controller-uid': 'u1' } }, template: template({}, old) }),
      [],
    ],
    [
      'is validated twice',
      stored({ parallelism: -1, completions: 1 }),
      stored(),
      [
        'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
        'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
  ])('%s', (_, members, before, messages) => {
    expect(errorsOf(members, before)).toEqual(messages);
  });

  const moved = template({
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ operator: 'Exists' }],
    schedulingGates: [{ name: 'a' }],
  });
  test.each<[string, Members, Members, Members | undefined, string[]]>([
    ['and not started, may say where its pods run', moved, template(), undefined, []],
    ['and started, may not before its controller has seen it', moved, template(), { startTime: STARTED }, [TEMPLATE]],
    ['and started, may when its pods are gone', moved, template(), { startTime: STARTED, ...SUSPENDED }, []],
    [
      'and started, may not while pods run',
      moved,
      template(),
      { startTime: STARTED, ...SUSPENDED, active: 1 },
      [TEMPLATE],
    ],
    [
      'may not run another image',
      template({ containers: [{ ...container, image: 'perl:6' }] }),
      template(),
      undefined,
      [TEMPLATE],
    ],
    ['may request more', template(sized('2')), template(sized('1')), SUSPENDED, []],
    [
      'may not request more before its controller has seen it',
      template(sized('2')),
      template(sized('1')),
      undefined,
      [TEMPLATE],
    ],
    [
      'may not add a container',
      template({ containers: [container, { ...container, name: 'b' }] }),
      template(),
      SUSPENDED,
      [POD],
    ],
    ['may get an affinity to nodes', template({ affinity: { nodeAffinity: node('a') } }), template(), undefined, []],
    ['may not get one to pods', template({ affinity: { podAffinity: pods } }), template(), undefined, [TEMPLATE]],
    [
      'may change the one to nodes',
      template({ affinity: { nodeAffinity: node('b'), podAffinity: pods } }),
      template({ affinity: { nodeAffinity: node('a'), podAffinity: pods } }),
      undefined,
      [],
    ],
    [
      'may lose an affinity that was only to nodes',
      template(),
      template({ affinity: { nodeAffinity: node('a') } }),
      undefined,
      [],
    ],
    [
      'may not lose one that was also to pods',
      template(),
      template({ affinity: { podAffinity: pods } }),
      undefined,
      [TEMPLATE],
    ],
  ])('that is suspended %s', (_, after, before, status, messages) => {
    expect(
      errorsOf(stored({ suspend: true, template: after }, status), stored({ suspend: true, template: before }, status)),
    ).toEqual(messages);
  });
});
