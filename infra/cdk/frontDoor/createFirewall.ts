import { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Firewall } from '../DriftlessStackProps.ts';
import { type ManagedRules, MANAGED_RULES } from './managedRules.ts';

const WINDOW_SECONDS = 300;
const TOO_MANY = 'TooMany';
/** client-go waits for this long and tries again. WAF looks at its counts several times a minute. */
const RETRY_SECONDS = '30';

/** What a Kubernetes client understands. */
const TOO_MANY_REQUESTS = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Too many requests from this address, please try again later.',
  reason: 'TooManyRequests',
  code: 429,
});

/** Puts a web ACL before the API's stage, whatever name a request comes by. What AWS' rules block gets API Gateway's answer for that (see gatewayResponses). */
export function createFirewall(
  scope: Construct,
  api: RestApi,
  { managedRules, requestsPerFiveMinutes }: Firewall,
): CfnWebACLAssociation {
  const { stackName } = Stack.of(scope);
  const rules = [
    ...(requestsPerFiveMinutes === undefined ? [] : [rateRule(requestsPerFiveMinutes)]),
    ...(managedRules ? MANAGED_RULES.map(managedRule) : []),
  ];
  const acl = new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    description: `Requests to the Kubernetes API of ${stackName}`,
    defaultAction: { allow: {} },
    visibilityConfig: visibleAs('Firewall'),
    rules: rules.map((rule, priority) => ({ ...rule, priority })),
    ...(requestsPerFiveMinutes !== undefined && {
      customResponseBodies: { [TOO_MANY]: { contentType: 'APPLICATION_JSON', content: TOO_MANY_REQUESTS } },
    }),
  });
  return new CfnWebACLAssociation(scope, 'FirewallOfApi', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
}

function rateRule(limit: number): Omit<CfnWebACL.RuleProperty, 'priority'> {
  return {
    name: TOO_MANY,
    statement: { rateBasedStatement: { limit, aggregateKeyType: 'IP', evaluationWindowSec: WINDOW_SECONDS } },
    action: {
      block: {
        customResponse: {
          responseCode: 429,
          customResponseBodyKey: TOO_MANY,
          responseHeaders: [{ name: 'Retry-After', value: RETRY_SECONDS }],
        },
      },
    },
    visibilityConfig: visibleAs(TOO_MANY),
  };
}

function managedRule({ name, onlyCounted }: ManagedRules): Omit<CfnWebACL.RuleProperty, 'priority'> {
  return {
    name,
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: Object.keys(onlyCounted).map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
    overrideAction: { none: {} },
    visibilityConfig: visibleAs(name),
  };
}

function visibleAs(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
