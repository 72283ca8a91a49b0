import { describe, expect, it } from 'vitest';
import { MANAGED_RULES } from '../../../infra/cdk/frontDoor/managedRules.ts';
import { createTestApp } from './createTestApp.ts';
import { addDriftlessStack } from '../../../infra/cdk/addDriftlessStack.ts';
import { CONTEXT, resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const ENDPOINT = 'vpce-0123456789abcdef0';
const DOMAIN = {
  name: 'k8s.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/01234567-89ab-cdef-0123-456789abcdef',
};
const TRUSTSTORE = { truststoreUri: 's3://example-authorities/dir/truststore.pem', version: 'v1' };

const regional = synthesizeStack();
const byEndpoint = synthesizeStack({ endpoint: 'private', vpcEndpointId: ENDPOINT });
const inNetwork = synthesizeStack({ endpoint: 'private', api: 'container' });
const withDomain = synthesizeStack({ domain: DOMAIN, firewall: { managedRules: true } });
const withMutualTls = synthesizeStack({
  domain: { ...DOMAIN, hostedZoneId: 'Z0123456789', mutualTls: TRUSTSTORE },
  firewall: { requestsPerFiveMinutes: 10_000 },
});

type Properties = Readonly<Record<string, never>>;

function propertiesOf(template: typeof regional, type: string): readonly Properties[] {
  return Object.values(resourcesOf(template, type)).map(({ Properties }) => resolve(Properties) as Properties);
}

function outputsOf(template: typeof regional): Readonly<Record<string, string>> {
  const outputs = Object.entries(template.findOutputs('*'));
  return Object.fromEntries(outputs.map(([name, { Value }]) => [name, String(resolve(Value))]));
}

interface Statement {
  readonly Effect: string;
  readonly Principal: unknown;
  readonly Condition: Readonly<Record<string, unknown>>;
}

describe('a private API', () => {
  it('answers through one interface endpoint, for which it has a name', () => {
    expect(resolve(resource(byEndpoint, 'Api').Properties)).toMatchObject({
      EndpointConfiguration: { Types: ['PRIVATE'], VpcEndpointIds: [ENDPOINT] },
    });
    const url = `https://<Api>-${ENDPOINT}.execute-api.eu-central-1.amazonaws.com/k8s`;
    expect(outputsOf(byEndpoint)['ApiUrl']).toBe(url);
    expect(outputsOf(byEndpoint)['Kubeconfig']).toContain(`server: "${url}"`);
    expect(resourcesOf(byEndpoint, 'AWS::EC2::VPCEndpoint')).toEqual({});
  });

  it('denies what comes another way, since an authorizer overrules a policy that only does not allow it', () => {
    const { Policy } = resource(byEndpoint, 'Api').Properties as { Policy: { Statement: Statement[] } };
    expect(Policy.Statement.map(({ Effect, Condition }) => [Effect, Condition])).toEqual([
      ['Allow', { StringEquals: { 'aws:SourceVpce': ENDPOINT } }],
      ['Deny', { StringNotEquals: { 'aws:SourceVpce': ENDPOINT } }],
    ]);
    expect(resource(regional, 'Api').Properties).not.toHaveProperty('Policy');
  });

  it('streams its answers and asks the authorizer, as a regional one does', () => {
    const methods = (template: typeof regional) => propertiesOf(template, 'AWS::ApiGateway::Method');
    expect(methods(byEndpoint)).toEqual(methods(regional));
    expect(resource(byEndpoint, 'Authorizer')).toEqual(resource(regional, 'Authorizer'));
  });

  it('is deployed anew when the endpoint changes, since a policy counts from the next deployment on', () => {
    const deployments = [regional, byEndpoint].map((template) =>
      Object.keys(resourcesOf(template, 'AWS::ApiGateway::Deployment')),
    );
    expect(deployments[0]).not.toEqual(deployments[1]);
  });

  it('has an endpoint of its own in the network of the stack, which leaves the names of other APIs alone', () => {
    const [made, ...others] = propertiesOf(inNetwork, 'AWS::EC2::VPCEndpoint').filter(
      ({ VpcEndpointType }) => VpcEndpointType === 'Interface',
    );
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      ServiceName: 'com.amazonaws.eu-central-1.execute-api',
      PrivateDnsEnabled: false,
    });
    expect(made?.['SubnetIds']).toHaveLength(2);
    const groups = propertiesOf(inNetwork, 'AWS::EC2::SecurityGroup');
    const group = groups.find(({ GroupDescription }) => String(GroupDescription).includes('private endpoint'));
    const admitted = (group?.['SecurityGroupIngress'] ?? []) as readonly { CidrIp: string; FromPort: number }[];
    expect(admitted.map(({ CidrIp, FromPort }) => `${CidrIp} ${FromPort}`)).toEqual([
      '10.0.0.0/8 443',
      '172.16.0.0/12 443',
      '192.168.0.0/16 443',
      '100.64.0.0/10 443',
    ]);
  });
});

describe('a private endpoint in a network of the user`s own', () => {
  const subnetIds = ['subnet-aaaaaaaa', 'subnet-bbbbbbbb', 'subnet-cccccccc'];
  const nodeNetwork = { vpcId: 'vpc-11111111', securityGroupId: 'sg-11111111', subnetIds };

  it.each([
    [{}, subnetIds],
    [{ endpointSubnetIds: ['subnet-cccccccc', 'subnet-aaaaaaaa'] }, ['subnet-aaaaaaaa', 'subnet-cccccccc']],
  ])('with %j is in %j', (knobs, expected) => {
    const template = synthesizeStack({ endpoint: 'private', nodeNetwork, ...knobs });
    const [made] = propertiesOf(template, 'AWS::EC2::VPCEndpoint').filter(
      ({ VpcEndpointType }) => VpcEndpointType === 'Interface',
    );
    expect(made?.['SubnetIds']).toEqual(expected);
  });
});

describe('a domain', () => {
  it('is the name of the API for TLS 1.2 and later, without a stage in its paths', () => {
    expect(resolve(resource(withDomain, 'ApiDomain').Properties)).toMatchObject({
      DomainName: DOMAIN.name,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      RegionalCertificateArn: DOMAIN.certificateArn,
      SecurityPolicy: 'TLS_1_2',
    });
    const [mapping] = propertiesOf(withDomain, 'AWS::ApiGateway::BasePathMapping');
    expect(mapping).toMatchObject({ DomainName: '<ApiDomain>', RestApiId: '<Api>' });
    expect(mapping).not.toHaveProperty('BasePath');
    expect(outputsOf(withDomain)['ApiUrl']).toBe('https://k8s.example.com');
    expect(outputsOf(withDomain)['Kubeconfig']).toContain('server: "https://k8s.example.com"');
  });

  it('says what it has to be an alias of, or becomes that in the hosted zone', () => {
    expect(outputsOf(withDomain)['DomainTarget']).toBe('<ApiDomain.RegionalDomainName>');
    expect(propertiesOf(withDomain, 'AWS::Route53::RecordSet')).toEqual([]);
    expect(outputsOf(withMutualTls)).not.toHaveProperty('DomainTarget');
    expect(propertiesOf(withMutualTls, 'AWS::Route53::RecordSet')).toEqual([
      {
        HostedZoneId: 'Z0123456789',
        Name: DOMAIN.name,
        Type: 'A',
        AliasTarget: {
          DNSName: '<ApiDomain.RegionalDomainName>',
          HostedZoneId: '<ApiDomain.RegionalHostedZoneId>',
        },
      },
    ]);
  });

  it('leaves the first name of the API on, unless that would be a way around mutual TLS', () => {
    expect(resource(withDomain, 'Api').Properties).not.toHaveProperty('DisableExecuteApiEndpoint');
    expect(resource(withMutualTls, 'Api').Properties).toMatchObject({ DisableExecuteApiEndpoint: true });
  });

  it('asks clients for certificates of the authorities in the truststore, which the kubeconfig has sent', () => {
    expect(resource(withMutualTls, 'ApiDomain').Properties).toMatchObject({
      MutualTlsAuthentication: {
        TruststoreUri: TRUSTSTORE.truststoreUri,
        TruststoreVersion: TRUSTSTORE.version,
      },
    });
    expect(outputsOf(withMutualTls)['Kubeconfig']).toContain('clientCertificateData');
    expect(outputsOf(withDomain)['Kubeconfig']).not.toContain('clientCertificateData');
  });
});

/** The rules of these groups that look at bodies, of AWS' list: https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html. */
const BODY_RULES: Readonly<Record<string, readonly string[]>> = {
  AWSManagedRulesAmazonIpReputationList: [],
  AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
  AWSManagedRulesCommonRuleSet: [
    'SizeRestrictions_BODY',
    'EC2MetaDataSSRF_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
    'CrossSiteScripting_BODY',
  ],
};

interface AclRule {
  readonly Name: string;
  readonly Priority: number;
  readonly OverrideAction?: unknown;
  readonly Action?: unknown;
  readonly Statement: {
    readonly ManagedRuleGroupStatement?: {
      readonly Name: string;
      readonly RuleActionOverrides: readonly { readonly Name: string; readonly ActionToUse: unknown }[];
    };
    readonly RateBasedStatement?: unknown;
  };
}

function rulesOf(template: typeof regional): readonly AclRule[] {
  return resource(template, 'Firewall').Properties['Rules'] as readonly AclRule[];
}

describe('a firewall', () => {
  it('is before the stage, by whatever name a request comes', () => {
    expect(propertiesOf(withDomain, 'AWS::WAFv2::WebACLAssociation')).toEqual([
      {
        ResourceArn: expect.stringMatching(
          /^arn:aws:apigateway:eu-central-1::\/restapis\/<Api>\/stages\/<ApiDeploymentStagek8s/,
        ) as string,
        WebACLArn: '<Firewall.Arn>',
      },
    ]);
    expect(resourcesOf(regional, 'AWS::WAFv2::WebACL')).toEqual({});
  });

  it('has AWS` rules block what they match, but for bodies, which hold what their owners want', () => {
    const groups = rulesOf(withDomain).map(({ Statement }) => Statement.ManagedRuleGroupStatement);
    expect(groups.map((group) => group?.Name)).toEqual(Object.keys(BODY_RULES));
    for (const { OverrideAction } of rulesOf(withDomain)) expect(OverrideAction).toEqual({ None: {} });
    for (const group of groups) {
      const counted = group?.RuleActionOverrides ?? [];
      for (const { ActionToUse } of counted) expect(ActionToUse).toEqual({ Count: {} });
      const names = counted.map(({ Name }) => Name);
      expect(names.filter((name) => name.endsWith('_BODY'))).toEqual(BODY_RULES[group?.Name ?? '']);
    }
  });

  it('says why a rule only counts', () => {
    for (const { onlyCounted } of MANAGED_RULES) {
      for (const [rule, why] of Object.entries(onlyCounted)) expect(why, rule).toMatch(/^.{30,}\.$/);
    }
  });

  it('answers what its rules block with a Status', () => {
    const answer = propertiesOf(withDomain, 'AWS::ApiGateway::GatewayResponse').find(
      ({ ResponseType }) => ResponseType === 'WAF_FILTERED',
    ) as unknown as { StatusCode: string; ResponseTemplates: Record<string, string> };
    expect(answer.StatusCode).toBe('403');
    expect(JSON.parse(answer.ResponseTemplates['application/json'] ?? '')).toMatchObject({ reason: 'Forbidden' });
  });

  it('answers an address that sends too much with 429, a time to wait and a Status', () => {
    const [rule, ...others] = rulesOf(withMutualTls);
    expect(others).toEqual([]);
    expect(rule).toMatchObject({
      Priority: 0,
      Statement: { RateBasedStatement: { Limit: 10_000, AggregateKeyType: 'IP', EvaluationWindowSec: 300 } },
      Action: {
        Block: {
          CustomResponse: { ResponseCode: 429, ResponseHeaders: [{ Name: 'Retry-After', Value: '30' }] },
        },
      },
    });
    const { CustomResponseBodies } = resource(withMutualTls, 'Firewall').Properties as {
      CustomResponseBodies: Record<string, { Content: string }>;
    };
    const [body] = Object.values(CustomResponseBodies);
    expect(JSON.parse(body?.Content ?? '')).toMatchObject({ kind: 'Status', reason: 'TooManyRequests', code: 429 });
  });
});

describe('the deletion of a stack', () => {
  const isProtected = (driftless: object) =>
    addDriftlessStack(createTestApp({ ...CONTEXT, driftless })).terminationProtection;

  it.each([
    ['its tables stay', {}, false],
    ['its tables go with it', { removalPolicy: 'destroy' }, true],
    [
      'its tables go with it, and somebody has said so in a deployment before',
      { removalPolicy: 'destroy', terminationProtection: false },
      false,
    ],
    ['somebody wants it', { terminationProtection: true }, true],
  ])('is refused by CloudFormation or not, if %s', (_, knobs, expected) => {
    expect(isProtected(knobs)).toBe(expected);
  });
});
