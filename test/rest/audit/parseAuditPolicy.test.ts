import { describe, expect, test } from 'vitest';
import { parseAuditPolicy } from '../../../lambdas/rest/audit/parseAuditPolicy.ts';

const HEAD = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';
const ruleText = (rule: string) => `${HEAD}rules: [{${rule}}]`;

describe('a policy file', () => {
  test('is read, in YAML or JSON; null is as good as nothing, and unknown fields are passed over', () => {
    const policy = { rules: [{ level: 'Metadata', verbs: ['get'] }], omitStages: ['Panic'] };
    const yaml = `${HEAD}omitStages: [Panic]\nomitManagedFields: null\nrules:\n- level: Metadata\n  verbs: [get]\n  users:\n`;
    expect(parseAuditPolicy(yaml)).toEqual(policy);
    const json = JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...policy });
    expect(parseAuditPolicy(json)).toEqual(policy);
    expect(parseAuditPolicy(`${HEAD}metadata: {name: a}\nlater: 1\nrules: [{level: None}]`)).toMatchObject({
      rules: [{ level: 'None' }],
    });
  });

  test.each([
    ['', 'unknown group version field , Kind= in policy'],
    ['rules: [{level: None}]', 'unknown group version field , Kind= in policy'],
    [
      'apiVersion: audit.k8s.io/v1beta1\nkind: Policy\nrules: [{level: None}]',
      'unknown group version field audit.k8s.io/v1beta1, Kind=Policy in policy',
    ],
    [HEAD, 'loaded illegal policy with 0 rules'],
    [`${HEAD}rules: []`, 'loaded illegal policy with 0 rules'],
    [ruleText('verbs: [get]'), 'rules[0].level: Required value'],
    [
      ruleText('level: All'),
      'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      ruleText('level: None, nonResourceURLs: [version, "/a*b", "*"]'),
      '[rules[0].nonResourceURLs[0]: Invalid value: "version": non-resource URL rules must begin with a \'/\' character, ' +
        'rules[0].nonResourceURLs[1]: Invalid value: "/a*b": non-resource URL wildcards \'*\' must be the final character of the rule]',
    ],
    [
      ruleText('level: None, nonResourceURLs: [/version], namespaces: [a]'),
      'rules[0].nonResourceURLs: Invalid value: ["/version"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
    [
      ruleText('level: None, resources: [{group: apps/v1}]'),
      'rules[0].resources.group: Invalid value: "apps/v1": a lowercase RFC 1123 subdomain must consist of',
    ],
    [
      ruleText('level: None, resources: [{resourceNames: [a]}]'),
      'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
    ],
    [
      ruleText('level: None, omitStages: [End]'),
      'rules[0].omitStages[0]: Invalid value: "End": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
    [
      `${HEAD}omitStages: [End]\nrules: [{level: None}]`,
      'omitStages[0]: Invalid value: "End": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
    [`${HEAD}rules: {level: None}`, 'failed decoding: rules must be a list'],
    [ruleText('level: None, verbs: get'), 'failed decoding: rules[0].verbs must be a list'],
    [ruleText('level: None, verbs: [1]'), 'failed decoding: rules[0].verbs[0] must be a string'],
    [`${HEAD}rules: [null]`, 'failed decoding: rules[0] must not be null'],
    ['{', 'failed decoding: yaml: '],
  ])('%j is refused', (text, message) => {
    expect(() => parseAuditPolicy(text)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message) }),
    );
    expect(() => parseAuditPolicy(text)).not.toThrow(/\n/);
  });
});
