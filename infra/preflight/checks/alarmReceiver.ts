import { advice, type Check, ok, wrong } from '../Check.ts';

/** An alarm tells nobody by itself, and only a topic of its own region: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html */
export const alarmReceiver: Check<undefined> = {
  name: 'alarm receiver',
  appliesTo: ({ props }) => props.alarms !== false,
  observe: () => Promise.resolve(undefined),
  decide: (_facts, { plan: { props }, caller }) => {
    const { alarmEmail, alarmTopicArn } = props;
    const topicRegion = alarmTopicArn?.split(':')[3];
    if (topicRegion !== undefined && topicRegion !== caller.region) {
      return wrong(`Set \`alarmTopicArn\` to a topic in ${caller.region}: alarms cannot tell one in ${topicRegion}.`);
    }
    if (alarmTopicArn !== undefined) return ok(`Alarms tell ${alarmTopicArn}.`);
    if (alarmEmail !== undefined) return ok(`Alarms tell ${alarmEmail}, once it has confirmed AWS' mail.`);
    return advice('Set `alarmEmail` or `alarmTopicArn`: nobody is told when an alarm goes off.');
  },
};
