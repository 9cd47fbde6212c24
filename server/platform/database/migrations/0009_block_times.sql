CREATE TABLE "block_times" (
	"block_number" bigint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "block_times_unread" ON "block_times" USING btree ("block_number") WHERE at is null;