/** The groups that serve only one or two kinds here, in the notation of parseField.ts. */
export const smallGroupTypes = {
  'coordination.v1': {
    Lease: 'metadata:1:meta.v1.ObjectMeta spec:2:LeaseSpec',
    LeaseSpec: `
      holderIdentity:1:*string leaseDurationSeconds:2:*int32 acquireTime:3:MicroTime renewTime:4:MicroTime
      leaseTransitions:5:*int32 strategy:6:*string(CoordinatedLeaseStrategy)/since(1.31)
      preferredHolder:7:*string/since(1.31)
    `,
  },
  'events.v1': {
    Event: `
      metadata:1:meta.v1.ObjectMeta eventTime:2:MicroTime series:3:EventSeries reportingController:4:string
      reportingInstance:5:string action:6:string reason:7:string regarding:8:!core.v1.ObjectReference
      related:9:core.v1.ObjectReference note:10:string type:11:string deprecatedSource:12:!core.v1.EventSource
      deprecatedFirstTimestamp:13:Time deprecatedLastTimestamp:14:Time deprecatedCount:15:int32
    `,
    EventSeries: 'count:1:int32 lastObservedTime:2:MicroTime',
  },
  // Only answered, and answers are JSON, so that the window is a string and no message.
  'metrics.v1beta1': {
    ContainerMetrics: 'name:1:string usage:2:{}Quantity',
    NodeMetrics: 'metadata:1:meta.v1.ObjectMeta timestamp:2:Time window:3:string usage:4:{}Quantity',
    PodMetrics: 'metadata:1:meta.v1.ObjectMeta timestamp:2:Time window:3:string containers:4:[]ContainerMetrics',
  },
} as const;
