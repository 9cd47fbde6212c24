import { SPARK_HEIGHT, SPARK_WIDTH, type Spark } from '#lib/market/sparkline.ts';

/** Never hydrated. The text beside it says the same to screen readers. */
export function Sparkline({ spark }: { spark: Spark | undefined }) {
  if (!spark) return null;
  return (
    <svg
      aria-hidden="true"
      width={SPARK_WIDTH}
      height={SPARK_HEIGHT}
      data-testid="sparkline"
      className="spark"
    >
      <path d={spark.path} />
      <path d={`M${SPARK_WIDTH - 2} ${spark.endY}h0`} />
    </svg>
  );
}
