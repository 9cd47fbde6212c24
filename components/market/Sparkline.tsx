import { SPARK_HEIGHT, SPARK_WIDTH, type Spark } from '#lib/market/sparkline.ts';

/**
 * The price of the last day, rendered on the server and never hydrated. The price and its change
 * are in the text beside it, so screen readers lose nothing.
 */
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
