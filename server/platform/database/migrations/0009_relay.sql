CREATE TABLE "relay_budgets" (
	"scope" text PRIMARY KEY NOT NULL,
	"period_start" timestamp (3) with time zone NOT NULL,
	"used_count" integer NOT NULL,
	"used_usd_micros" bigint NOT NULL
);
