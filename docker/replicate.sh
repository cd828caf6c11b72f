#!/bin/bash
# Makes each of REPLICAS follow PRIMARY, and waits until it holds all that the primary holds now. A replica that
# follows already is left as it is, so this may be run again any time. For compose.scale.yaml.
set -euo pipefail

ask() { # host, statements
  MYSQL_PWD=$ROOT_PASSWORD mysql --host="$1" --user=root --batch --skip-column-names --execute="$2"
}

ask "$PRIMARY" "
  CREATE USER IF NOT EXISTS replicator@'%' IDENTIFIED BY '$REPLICATION_PASSWORD' REQUIRE SSL;
  GRANT REPLICATION SLAVE ON *.* TO replicator@'%';
  -- As vitrine grants --replicas says: Vitrine may see how far a replica is behind.
  GRANT REPLICATION CLIENT ON *.* TO '$READER_USER'@'%'"

for replica in $REPLICAS; do
  known=$(ask "$replica" 'SELECT COUNT(*) FROM performance_schema.replication_connection_configuration')
  if [ "$known" = 0 ]; then
    # A retry count of 0 is one without end: it asks for its primary again every second.
    ask "$replica" "
      CHANGE REPLICATION SOURCE TO SOURCE_HOST = '$PRIMARY', SOURCE_USER = 'replicator',
        SOURCE_PASSWORD = '$REPLICATION_PASSWORD', SOURCE_AUTO_POSITION = 1, SOURCE_SSL = 1,
        SOURCE_CONNECT_RETRY = 1, SOURCE_RETRY_COUNT = 0"
  fi
  # Nobody writes into a replica, not even root.
  ask "$replica" 'START REPLICA; SET PERSIST super_read_only = ON'
done

executed=$(ask "$PRIMARY" "SELECT REPLACE(@@GLOBAL.gtid_executed, '\n', '')")
for replica in $REPLICAS; do
  if [ "$(ask "$replica" "SELECT WAIT_FOR_EXECUTED_GTID_SET('$executed', 60)")" != 0 ]; then
    echo "$replica does not follow $PRIMARY:"
    ask "$replica" 'SHOW REPLICA STATUS\G'
    exit 1
  fi
  echo "$replica holds all that $PRIMARY holds."
done
