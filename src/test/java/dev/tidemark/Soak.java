package dev.tidemark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * How much of a long test is run. With the system property {@value #FACTOR}, everything is run, and the number of runs
 * of a random test is multiplied by it.
 */
public final class Soak {

    private static final String FACTOR = "soak.factor";
    private static final int[] SMALL_PAGES = {1, 2, 3};
    private static final int[] LARGE_PAGES = {5, 7, 100};
    private static final int[] ALL_PAGES = {1, 2, 3, 5, 7, 100};

    /** Chooses what is run without a factor: the same in each test, whichever others run before it. */
    private static final long SEED = Seed.next();

    private Soak() {}

    /** @param usualTimes the number of runs of a random test without a factor */
    public static int times(int usualTimes) {
        return usualTimes * Integer.getInteger(FACTOR, 1);
    }

    public static boolean isOn() {
        return times(1) > 1;
    }

    /** A random half of these elements, in the same order; all of them with a factor. */
    public static <T> Stream<T> randomHalf(Stream<T> all) {
        List<T> list = all.toList();
        if (isOn()) {
            return list.stream();
        }
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            indexes.add(i);
        }
        Collections.shuffle(indexes, new Random(SEED));
        return indexes.stream().limit((list.size() + 1) / 2).sorted().map(list::get);
    }

    /**
     * The page sizes with which a list is walked: a small and a large one, which depend on
     * the list; with a factor, every list is walked with all sizes.
     */
    public static int[] pageSizes(Object list) {
        if (isOn()) {
            return ALL_PAGES;
        }
        int hash = Math.abs(list.hashCode() % 9);
        return new int[] {SMALL_PAGES[hash % 3], LARGE_PAGES[hash / 3]};
    }

    /** Like {@link #pageSizes}, for tests of dozens of lists: one random size for each list. */
    public static int[] onePageSize(Object list) {
        return isOn() ? ALL_PAGES : new int[] {ALL_PAGES[new Random(SEED + list.hashCode()).nextInt(ALL_PAGES.length)]};
    }
}
