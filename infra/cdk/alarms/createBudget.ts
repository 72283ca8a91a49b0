import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { DriftlessStackProps } from '../DriftlessStackProps.ts';

/** The tag that CloudFormation gives each resource of a stack. It counts from when it is activated in the account's billing. */
const STACK_TAG = 'aws:cloudformation:stack-name';

/** Has AWS Budgets tell the receivers of alarms when the stack's costs of a month are above the budget, or are going to be. AWS looks a few times a day. */
export function createBudget(
  scope: Construct,
  {
    monthlyBudget,
    alarmEmail,
    alarmTopicArn,
  }: Pick<DriftlessStackProps, 'monthlyBudget' | 'alarmEmail' | 'alarmTopicArn'>,
): CfnBudget | undefined {
  if (monthlyBudget === undefined) return undefined;
  const subscribers = [
    ...(alarmEmail === undefined ? [] : [{ subscriptionType: 'EMAIL', address: alarmEmail }]),
    ...(alarmTopicArn === undefined ? [] : [{ subscriptionType: 'SNS', address: alarmTopicArn }]),
  ];
  return new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      costFilters: { TagKeyValue: [`${STACK_TAG}$${Stack.of(scope).stackName}`] },
    },
    notificationsWithSubscribers: ['FORECASTED', 'ACTUAL'].map((notificationType) => ({
      notification: {
        notificationType,
        comparisonOperator: 'GREATER_THAN',
        threshold: 100,
        thresholdType: 'PERCENTAGE',
      },
      subscribers,
    })),
  });
}
