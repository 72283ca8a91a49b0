import { Aws } from 'aws-cdk-lib';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { DriftlessStackProps } from '../DriftlessStackProps.ts';

/** Returns what tells the people whom the user named: nobody, an address, a topic of theirs, or both. */
export function createReceivers(
  scope: Construct,
  { alarmEmail, alarmTopicArn }: Pick<DriftlessStackProps, 'alarmEmail' | 'alarmTopicArn'>,
  encryptionKey: IKey | undefined,
): readonly IAlarmAction[] {
  const topics = [
    ...(alarmEmail === undefined ? [] : [createTopic(scope, alarmEmail, encryptionKey)]),
    ...(alarmTopicArn === undefined ? [] : [Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn)]),
  ];
  return topics.map((topic) => new SnsAction(topic));
}

/** AWS asks the address once whether it wants these mails. */
function createTopic(scope: Construct, address: string, encryptionKey: IKey | undefined): ITopic {
  const topic = new Topic(scope, 'AlarmMails', {
    enforceSSL: true,
    ...(encryptionKey && { masterKey: encryptionKey }),
  });
  topic.addSubscription(new EmailSubscription(address));
  // A policy of one's own takes the place of the one that lets the account publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  return topic;
}
