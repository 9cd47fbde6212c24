CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"detail" text NOT NULL,
	"internal_detail" text,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "status_mask" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "ranked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "metadata_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "content_hash" text;--> statement-breakpoint
ALTER TABLE "markets" ADD COLUMN "final_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "markets" ADD COLUMN "content_hash" text;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_open" ON "alerts" USING btree ("kind","subject") WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX "alerts_by_time" ON "alerts" USING btree ("raised_at");--> statement-breakpoint
CREATE INDEX "events_by_ranked_at" ON "events" USING btree ("ranked_at");--> statement-breakpoint
CREATE INDEX "markets_final" ON "markets" USING btree ("final_seen_at","ticker");