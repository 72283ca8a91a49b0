import { beforeAll, describe, expect, it } from 'vitest';
import type { ResourceEntry } from '../../../lambdas/registry/ResourceEntry.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../../lambdas/registry/resources/webhookConfigurations.ts';
import { createErrors, objectOf, rowOf, updateErrors } from '../../support/kindBench.ts';

let mutating: ResourceEntry;
let validating: ResourceEntry;

beforeAll(async () => {
  const whole = async (entry: ResourceEntry) => ({
    ...entry,
    strategy: { ...entry.strategy, ...(await entry.loadStrategy?.()) },
  });
  mutating = await whole(mutatingWebhookConfigurations);
  validating = await whole(validatingWebhookConfigurations);
});

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };

function webhook(more: object = {}): object {
  return {
    name: 'a.example.com',
    clientConfig: { service: { namespace: 'default', name: 'hook' } },
    rules: [rule],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  };
}

const FORM = '; desired format: https://host[/path]';

describe('webhook configurations', () => {
  it('have the defaults of Kubernetes', () => {
    expect(objectOf(mutating, { webhooks: [webhook()] })['webhooks']).toEqual([
      {
        ...webhook(),
        clientConfig: { service: { namespace: 'default', name: 'hook', port: 443 } },
        rules: [{ ...rule, scope: '*' }],
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        reinvocationPolicy: 'Never',
      },
    ]);
    expect(objectOf(validating, { webhooks: [webhook()] })['webhooks']).not.toHaveProperty('0.reinvocationPolicy');
  });

  it('are printed with the number of their webhooks', () => {
    expect(rowOf(mutating, { webhooks: [webhook(), webhook()] })).toEqual({ Name: 'x', Webhooks: 2, Age: '60s' });
  });

  it.each([
    [{}, []],
    [
      { name: 'a.b' },
      ['webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
    ],
    [{ name: '' }, ['webhooks[0].name: Required value']],
    [{ rules: [{ ...rule, operations: [] }] }, ['webhooks[0].rules[0].operations: Required value']],
    [
      { failurePolicy: 'Maybe' },
      ['webhooks[0].failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"'],
    ],
    [{ sideEffects: undefined }, ['webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun']],
    [
      { sideEffects: 'Some' },
      ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    ],
    [
      { timeoutSeconds: 31 },
      ['webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    ],
    [
      { reinvocationPolicy: 'Always' },
      ['webhooks[0].reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"'],
    ],
    [{ clientConfig: {} }, ['webhooks[0].clientConfig: Required value: exactly one of url or service is required']],
    [
      { clientConfig: { url: 'http://x' } },
      [
        'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      ],
    ],
    [
      { clientConfig: { service: { namespace: 'a', name: 'b', path: 'x/', port: 70_000 } } },
      [
        'webhooks[0].clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
        'webhooks[0].clientConfig.service.path: Invalid value: "x/": must start with a \'/\'',
        'webhooks[0].clientConfig.service.path: Invalid value: "x/": segment[0] may not be empty',
      ],
    ],
    ...(
      [
        ['https://a.b:443/c', []],
        [
          '',
          [
            `Invalid value: "": 'https' is the only allowed URL scheme${FORM}`,
            `Invalid value: "": host must be specified${FORM}`,
          ],
        ],
        [
          'a.b/c',
          [
            `Invalid value: "": 'https' is the only allowed URL scheme${FORM}`,
            `Invalid value: "": host must be specified${FORM}`,
          ],
        ],
        ['https:///c', [`Invalid value: "": host must be specified${FORM}`]],
        ['https://me:secret@a.b', ['Invalid value: "me:secret": user information is not permitted in the URL']],
        [
          'https://a.b/?q=1#f',
          [
            'Invalid value: "f": fragments are not permitted in the URL',
            'Invalid value: "q=1": query parameters are not permitted in the URL',
          ],
        ],
        ['://a', [`Required value: url must be a valid URL: parse "://a": missing protocol scheme${FORM}`]],
        [
          '1:a',
          [
            `Required value: url must be a valid URL: parse "1:a": first path segment in URL cannot contain colon${FORM}`,
          ],
        ],
        [
          'https://a b',
          [`Required value: url must be a valid URL: parse "https://a b": invalid character " " in host name${FORM}`],
        ],
        [
          'https://a:b',
          [`Required value: url must be a valid URL: parse "https://a:b": invalid port ":b" after host${FORM}`],
        ],
        [
          'https://a/%zz',
          [`Required value: url must be a valid URL: parse "https://a/%zz": invalid URL escape "%zz"${FORM}`],
        ],
        [
          'https://a\n',
          [
            `Required value: url must be a valid URL: parse "https://a\\n": net/url: invalid control character in URL${FORM}`,
          ],
        ],
      ] satisfies [string, string[]][]
    ).map(([url, errors]): [object, string[]] => [
      { clientConfig: { url } },
      errors.map((error) => `webhooks[0].clientConfig.url: ${error}`),
    ]),
    // Kubernetes names the other of the two fields.
    [{ clientConfig: { service: { namespace: 'a' } } }, ['webhooks[0].clientConfig.service.namespace: Required value']],
    [{ clientConfig: { service: { name: 'a' } } }, ['webhooks[0].clientConfig.service.name: Required value']],
    [
      { admissionReviewVersions: [] },
      ['webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
    ],
    [
      { admissionReviewVersions: ['v2', 'v2'] },
      [
        'webhooks[0].admissionReviewVersions[1]: Invalid value: "v2": duplicate version',
        'webhooks[0].admissionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1',
      ],
    ],
  ])('%j is refused with %j', (more, errors) => {
    expect(createErrors(mutating, { webhooks: [webhook(more)] })).toEqual(errors);
  });

  it('have webhooks of different names', () => {
    expect(createErrors(validating, { webhooks: [webhook(), webhook()] })).toEqual([
      'webhooks[1].name: Duplicate value: "a.example.com"',
    ]);
  });

  const condition = { matchConditions: [{ name: 'c', expression: '1 +' }] };
  const selector = { objectSelector: { matchLabels: { a: '-' } } };
  it.each<[string, object[], object[], RegExp[]]>([
    ['side effects', [{ sideEffects: 'Some' }], [{ sideEffects: 'Unknown' }], []],
    [
      'no new side effects',
      [{ sideEffects: 'Some' }],
      [{}],
      [/sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"$/],
    ],
    [
      'no unknown side effects',
      [{ sideEffects: 'Odd' }],
      [{ sideEffects: 'Some' }],
      [/supported values: "None", "NoneOnDryRun", "Some", "Unknown"$/],
    ],
    ['versions that no server knows', [{ admissionReviewVersions: ['v3'] }], [{ admissionReviewVersions: ['v2'] }], []],
    ['no new ones', [{ admissionReviewVersions: ['v3'] }], [{}], [/must include at least one of v1, v1beta1$/]],
    ['webhooks of one name', [{}, {}, {}], [{}, {}], []],
    ['no new ones of one name', [{}, {}], [{}], [/^webhooks\[1\]\.name: Duplicate value/]],
    ['selectors that select nothing', [selector], [selector], []],
    ['no new ones', [selector], [{}], [/^webhooks\[0\]\.objectSelector\.matchLabels: Invalid value: "-"/]],
    ['conditions that do not compile any more', [condition], [condition], []],
    ['them only as they are', [condition, {}], [condition], [/compilation failed/, /Duplicate value/]],
  ])('may keep %s when they change', (_, webhooks, old, errors) => {
    const of = (members: object[]) => ({ webhooks: members.map((more) => webhook(more)) });
    expect(updateErrors(mutating, of(webhooks), of(old))).toEqual(
      errors.map((error) => expect.stringMatching(error) as string),
    );
  });

  it('refuse conditions that do not compile', () => {
    const [error] = createErrors(validating, {
      webhooks: [webhook({ matchConditions: [{ name: 'c', expression: '1 +' }] })],
    });
    expect(error).toMatch(
      /^webhooks\[0\]\.matchConditions\[0\]\.expression: Invalid value: "1 \+": compilation failed/,
    );
  });
});
