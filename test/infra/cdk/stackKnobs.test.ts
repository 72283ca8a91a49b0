import { describe, expect, it } from 'vitest';
import { resource, synthesizeStack } from './synthesizeStack.ts';

describe('knobs', () => {
  const turned = synthesizeStack({
    stackName: 'staging',
    clusterId: 'my-cluster',
    runtime: 'nodejs22.x',
    memoryMb: { sync: 2048 },
    reservedConcurrency: { sync: 20 },
    syncMaxConcurrency: 20,
    logRetentionDays: 7,
    logLevel: 'DEBUG',
    removalPolicy: 'destroy',
    pointInTimeRecoveryDays: 0,
    tableEncryption: 'awsManaged',
    warmThroughput: { objects: { writeUnitsPerSecond: 20_000 }, keys: { readUnitsPerSecond: 12_000 } },
    config: { resyncPeriodMs: 3_600_000 },
  });

  it('change the functions', () => {
    expect(resource(turned, 'SyncFunction').Properties).toMatchObject({
      Runtime: 'nodejs22.x',
      MemorySize: 2048,
      ReservedConcurrentExecutions: 20,
      LoggingConfig: { ApplicationLogLevel: 'DEBUG', SystemLogLevel: 'DEBUG' },
    });
    turned.hasResourceProperties('AWS::Lambda::EventSourceMapping', { ScalingConfig: { MaximumConcurrency: 20 } });
    turned.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 7 });
    turned.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 hour)' });
  });

  it('change the tables, and let them be deleted with the stack', () => {
    expect(resource(turned, 'ObjectsTable')).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: {
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
        SSESpecification: { SSEEnabled: true },
      },
    });
    expect(resource(turned, 'WorkQueue').DeletionPolicy).toBe('Delete');
  });

  it.each([{ keepWarm: false }, { api: 'container' as const }])('let functions fall asleep: %o', (knobs) => {
    const rules = Object.values(synthesizeStack(knobs).findResources('AWS::Events::Rule'));
    expect(rules).toHaveLength(3);
    expect(JSON.stringify(rules)).not.toContain('warm');
  });

  it('warm the tables that they name, with their global indexes, and no others', () => {
    const objects = { WriteUnitsPerSecond: 20_000 };
    const keys = { ReadUnitsPerSecond: 12_000 };
    expect(resource(turned, 'ObjectsTable').Properties).toMatchObject({ WarmThroughput: objects });
    expect(resource(turned, 'KeysTable').Properties).toMatchObject({
      WarmThroughput: keys,
      GlobalSecondaryIndexes: [{ WarmThroughput: keys }],
    });
    expect(resource(turned, 'LogTable').Properties).not.toHaveProperty('WarmThroughput');
  });

  it('set the names of the API and the cluster', () => {
    expect(resource(turned, 'Api').Properties['Name']).toBe('staging');
    expect(turned.findOutputs('ClusterId')['ClusterId']).toMatchObject({ Value: 'my-cluster' });
  });

  it('that are invalid make the synthesis fail', () => {
    expect(() => synthesizeStack({ nodes: -1 })).toThrow(
      'stack property nodes: must be an integer from 0 to 5000, not -1',
    );
  });
});
